/** A topic with named levels, `zwave/{node}/49/{endpoint}/Air_temperature`; `+` and a last `#` as in MQTT. */
export interface TopicPattern {
  subscription: string
  /** The named levels of a topic that fits, or undefined. */
  match(topic: string): Record<string, string> | undefined
}

const NAMED = /^\{([a-z_]+)\}$/

export function topicPattern(pattern: string): TopicPattern {
  const want = pattern.split('/')
  const subscription = want.map((level) => (NAMED.test(level) ? '+' : level)).join('/')
  return { subscription, match: (topic) => matched(want, topic.split('/')) }
}

function matched(want: readonly string[], have: readonly string[]): Record<string, string> | undefined {
  const named: Record<string, string> = {}
  for (const [i, level] of want.entries()) {
    if (level === '#') return named
    const given = have[i]
    if (given === undefined) return undefined
    const name = NAMED.exec(level)?.[1]
    if (name !== undefined) named[name] = given
    else if (level !== '+' && level !== given) return undefined
  }
  return want.length === have.length ? named : undefined
}

/** Parameters of a profile, `{base}`, put in their places. Levels without a parameter stay named levels. */
export const withParameters = (pattern: string, parameters: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{([a-z_]+)\}/g, (all, name: string) => parameters[name] ?? all)
