const END = '<!-- end of figures -->'

/** Puts figures into a page, between the marks of the command that writes them. */
export function withFigures(page: string, command: string, figures: string): string {
  const begin = `<!-- figures: written by npm run ${command} -->`
  const [before, rest = ''] = page.split(begin)
  const [, ...after] = rest.split(END)
  if (after.length === 0) throw new Error(`the page has no place for figures between "${begin}" and "${END}"`)
  return `${before}${begin}\n\n${figures}\n\n${END}${after.join(END)}`
}
