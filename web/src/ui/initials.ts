/** Of the first and the last word; of an address, its first letter. */
export function initialsOf(name: string): string {
  const words = name.split('@', 1).join('').trim().split(/\s+/)
  const letters = [words[0], ...(words.length > 1 ? [words.at(-1)] : [])].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('')
}
