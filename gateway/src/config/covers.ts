import { ENTRY_KEY_PATTERN, MOST_COVERS } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import type { CoverSettings } from '../covers/settings.ts'
import type { Fault } from './fault.ts'
import { closed, Text, Topic } from './relay-schema.ts'

/** A blind or shutter outside a window, moved by a position in percent; 100 is open. */
const FileCover = Type.Object(
  {
    name: Type.String({ pattern: ENTRY_KEY_PATTERN }),
    topic: Topic,
    payload: Type.Optional(Text),
    state: Type.Object({ topic: Topic, path: Type.Optional(Text) }, closed),
  },
  closed,
)
export const FileCovers = Type.Array(FileCover, { maxItems: MOST_COVERS })
type FileCovers = Static<typeof FileCovers>

export const coversOf = (covers: FileCovers = []): CoverSettings[] =>
  covers.map(({ name, topic, payload = '{position}', state }) => ({
    ...{ name, topic, payload },
    state: { topic: state.topic, path: state.path ?? null },
  }))

export function coverFaults(covers: FileCovers = []): Fault[] {
  return covers.flatMap(({ name, topic, payload }, i) => {
    const before = covers.slice(0, i)
    const at = (field: string, message: string): Fault => ({ path: ['covers', i, field], message })
    return [
      ...(before.some((each) => each.name === name) ? [at('name', `${name} is there twice`)] : []),
      ...(before.some((each) => each.topic === topic) ? [at('topic', 'is the topic of another cover')] : []),
      ...(payload !== undefined && !payload.includes('{position}')
        ? [at('payload', 'must contain {position}, in percent')]
        : []),
    ]
  })
}
