/** Made at the first use: it takes longer than the rest of starting a command. */
let segmenter: Intl.Segmenter | undefined
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u

/** Letters as a reader sees them; an accent or a joined emoji belongs to what it stands on. */
function lettersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter()
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}
const widthOfLetter = (letter: string): number => (WIDE.test(letter) ? 2 : 1)

/** Columns of a terminal: Chinese, Japanese and Korean letters and emoji take two. */
export const widthOf = (text: string): number => lettersOf(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0)

export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 1
  for (const letter of lettersOf(text)) {
    used += widthOfLetter(letter)
    if (used > width) break
    kept += letter
  }
  return `${kept}…`
}
