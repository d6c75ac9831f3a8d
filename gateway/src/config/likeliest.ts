interface SchemaError {
  keyword: string
  schemaPath: string
}

const BRANCH = /^(.*?\/anyOf)\/\d+/

/**
 * Where a value may have several forms, an error of each form it does not have is found. Those of the form count that is
 * of the right type and has the required fields: that is the one a person has meant.
 */
export function likeliest<E extends SchemaError>(errors: readonly E[]): E[] {
  const misses = new Map<string, number>()
  for (const { keyword, schemaPath } of errors) {
    const branch = BRANCH.exec(schemaPath)?.[0]
    if (branch === undefined) continue
    const isMiss = schemaPath === branch && (keyword === 'type' || keyword === 'required')
    misses.set(branch, (misses.get(branch) ?? 0) + (isMiss ? 1 : 0))
  }
  return errors.filter(({ schemaPath }) => {
    const [branch, union] = BRANCH.exec(schemaPath) ?? []
    if (branch === undefined) return true
    const others = [...misses].filter(([other]) => BRANCH.exec(other)?.[1] === union)
    return others.every(([, count]) => count >= (misses.get(branch) ?? 0))
  })
}
