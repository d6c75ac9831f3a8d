import type { SensorRule } from '../profiles/schema.ts'
import { withParameters } from '../profiles/topic.ts'
import { type Adapter, ignored, together } from './adapter.ts'
import { Companions } from './companions.ts'
import { ruleReader, unitIn } from './rule.ts'

interface Mapping {
  rules: readonly SensorRule[]
  /** Part of derived ids; empty for the mappings of gateway.yaml, whose names are ids of their own. */
  family: string
  parameters: Readonly<Record<string, string>>
}

/** Messages read by rules alone: a profile's, or those of gateway.yaml. */
export function mapped({ rules, family, parameters }: Mapping): Adapter {
  const companions = new Companions()
  const readers = rules.map((rule) => ruleReader({ ...placed(rule, parameters), family, companions }))
  return {
    subscriptions: readers.flatMap((reader) => reader.subscriptions),
    understand(message) {
      const results = readers.map((reader) => reader.read(message)).filter((result) => result !== undefined)
      return results.length > 0 ? together(results) : ignored('no temperature in it')
    },
  }
}

/** `mustAsk`: nobody has said whether its bare values are Celsius. */
function placed(
  rule: SensorRule,
  parameters: Readonly<Record<string, string>>,
): { rule: SensorRule; mustAsk: boolean } {
  const topics = typeof rule.topic === 'string' ? [rule.topic] : rule.topic
  const { unit, ...rest } = rule
  const known = unit === '{unit}' ? unitIn(parameters.unit) : unit
  const mustAsk = unit === '{unit}' && known === undefined
  return {
    rule: { ...rest, ...(known && { unit: known }), topic: topics.map((topic) => withParameters(topic, parameters)) },
    mustAsk,
  }
}
