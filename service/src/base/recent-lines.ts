const MOST = 300

const lines: string[] = []

/** What this process has logged last, for a problem report. */
export const recentLines = (): string[] => [...lines]

export function rememberLine(line: string): void {
  lines.push(line.trimEnd())
  if (lines.length > MOST) lines.shift()
}
