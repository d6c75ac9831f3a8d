/** The full topic of a command or report. `topic` is the device's, or its FullTopic with `%prefix%` left in it. */
export const tasmotaTopic = (topic: string, prefix: 'cmnd' | 'stat' | 'tele', command: string): string =>
  topic.includes('%prefix%') ? `${topic.replace('%prefix%', prefix)}/${command}` : `${prefix}/${topic}/${command}`

/** The same the other way round: the device's topic in the topic of a report. */
export function tasmotaDevice(topic: string, prefix: 'stat' | 'tele', command: string): string | undefined {
  const levels = topic.split('/')
  if (levels.length < 3 || levels.pop() !== command) return undefined
  if (levels[0] === prefix) return levels.slice(1).join('/')
  return levels.at(-1) === prefix ? [...levels.slice(0, -1), '%prefix%'].join('/') : undefined
}
