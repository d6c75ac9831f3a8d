const MOST = 8

/** First sentences of what the newest section of the change log says about the website, new things first. */
export function newsIn(changelog: string): string[] {
  const [, newest = ''] = changelog.split(/^## .*$/m)
  const parts = newest.split(/^### /m).toSorted((a, b) => Number(b.startsWith('Added')) - Number(a.startsWith('Added')))
  const lines = parts.filter((part) => !part.startsWith('Fixed')).flatMap((part) => part.split('\n'))
  return lines.flatMap((line) => sentenceIn(line) ?? []).slice(0, MOST)
}

function sentenceIn(line: string): string | undefined {
  const text = line.match(/^- Website: (.*)$/)?.[1]?.replaceAll(/[*`]|\[([^\]]*)\]\([^)]*\)/g, '$1')
  const sentence = text?.match(/^.*?[.:;](?= |$)/)?.[0].replace(/[:;]$/, '.')
  return sentence && sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
