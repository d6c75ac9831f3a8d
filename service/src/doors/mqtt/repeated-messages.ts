import type { Store } from '../../store/store.ts'

/** What a gateway numbers a message of readings by. */
export interface MessageKey {
  gatewayId: string
  boot: string
  n: number
}

const textOf = ({ gatewayId, boot, n }: MessageKey): string => JSON.stringify([gatewayId, boot, n])

/** Messages that came several times at once: each is done when the first of its key is. */
export function byKey<Message extends { key: MessageKey | undefined }>(messages: Message[]): Map<Message, Message> {
  const firsts = new Map<string, Message>()
  return new Map(
    messages.map((message) => {
      if (!message.key) return [message, message]
      const text = textOf(message.key)
      const first = firsts.get(text) ?? message
      firsts.set(text, first)
      return [message, first]
    }),
  )
}

/** Which of the messages were stored before. */
export async function storedBefore(
  { db }: Pick<Store, 'db'>,
  keys: MessageKey[],
): Promise<(key: MessageKey) => boolean> {
  if (keys.length === 0) return () => false
  const rows = await db
    .selectFrom('gatewayMessages')
    .select(['gatewayId', 'boot', 'n'])
    .where('gatewayId', 'in', [...new Set(keys.map(({ gatewayId }) => gatewayId))])
    .where('n', 'in', [...new Set(keys.map(({ n }) => n))])
    .execute()
  const stored = new Set(rows.map(textOf))
  return (key) => stored.has(textOf(key))
}
