/** Release notes are Markdown; the page shows them as plain lines. */
export function plainNotes(markdown: string): string {
  return markdown
    .replace(/^#{1,6}\s+/gm, '')
    .replace(/^(\s*)[-*+]\s+/gm, '$1• ')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/(\*\*|__|`)(\S(?:[^\n]*?\S)?)\1/g, '$2')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
