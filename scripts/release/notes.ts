/** The release notes: the section of this version in CHANGELOG.md, or what is not released yet. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const titled = (title: string) => sections.find((section) => section.split(/\s/, 1)[0] === title)
  const section = titled(version) ?? titled('Unreleased')
  if (section === undefined) throw new Error(`CHANGELOG.md has neither a section ${version} nor Unreleased`)
  const [, ...lines] = section.split('\n')
  return `# Hypocaust ${version}\n\n${lines.join('\n').trim()}\n`
}
