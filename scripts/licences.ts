/** The part of a CycloneDX document that this looks at. */
interface Sbom {
  components: { name: string; version?: string; licenses?: ({ license: { id?: string } } | { expression: string })[] }[]
}

/**
 * Licences that let the service be shipped under Apache-2.0 with a list of its parts. MPL-2.0 asks for changes of its
 * own files only, which nobody makes here; CC-BY-4.0 is for data, and asks to be named.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Unlicense',
])

/** One line for each part whose licence is missing or not on the list. */
export function licenceProblems({ components }: Sbom): string[] {
  return components.flatMap(({ name, version, licenses = [] }) => {
    const names = licenses.map((each) => ('license' in each ? (each.license.id ?? '') : each.expression))
    if (names.length > 0 && names.every(isAllowed)) return []
    return [`${name} ${version ?? ''}: ${names.join(', ') || 'no licence named'}`]
  })
}

/** An expression offers a choice (OR) or asks for all of its parts (AND). */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '')
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((id) => ALLOWED.has(id.trim())))
}

export function licenceCounts({ components }: Sbom): [string, number][] {
  const counts = new Map<string, number>()
  for (const { licenses = [] } of components) {
    const name = licenses.map((each) => ('license' in each ? each.license.id : each.expression)).join(', ')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])
}
