/** A bar on a terminal, a line now and then elsewhere. */
export function progress(
  total: number,
  startedMs: number,
  now: () => number,
  what = 'plants',
): (finished: number) => void {
  const { stderr } = process
  let lastTenth = 0
  return (finished) => {
    const share = finished / total
    const leftS = Math.round(((now() - startedMs) / 1000) * (1 / share - 1))
    const text = `${finished}/${total} ${what}, about ${leftS} s to go`
    if (stderr.isTTY) {
      const filled = Math.round(30 * share)
      stderr.write(`\r[${'#'.repeat(filled)}${' '.repeat(30 - filled)}] ${text}   ${finished === total ? '\n' : ''}`)
    } else if (Math.floor(10 * share) > lastTenth) {
      lastTenth = Math.floor(10 * share)
      stderr.write(`${text}\n`)
    }
  }
}
