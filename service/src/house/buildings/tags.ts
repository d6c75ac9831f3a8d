/** As they are stored: a list as JSON; null: none. */
export const tagsIn = (stored: string | null): string[] => (stored === null ? [] : JSON.parse(stored))

/** Trimmed, each once: "north" beside "North" would be two groups that look like one. */
export function tagsColumn(tags: string[]): string | null {
  const trimmed = tags.map((tag) => tag.trim())
  const lowered = trimmed.map((tag) => tag.toLowerCase())
  const unique = trimmed.filter((_, i) => lowered.indexOf(lowered[i] ?? '') === i)
  return unique.length === 0 ? null : JSON.stringify(unique)
}
