import Type, { type Static } from 'typebox'
import { OneOf } from '../schema.ts'

/** What can fail beside the service while the service goes on. */
const NOTICE_KINDS = [
  'discovery_failed',
  'agent_not_configured',
  'agent_not_paired',
  'pairing_failed',
  'agent_ended',
] as const

export const Notice = Type.Object({
  kind: OneOf(NOTICE_KINDS, 'What has failed.'),
  detail: Type.String({ description: 'The reason, as the part that failed gave it; may be empty.' }),
  since: Type.String({ description: 'When it first failed, ISO 8601.' }),
})
export type Notice = Static<typeof Notice>

/** The file that a program beside the service writes, and the answer to the website. */
export const Notices = Type.Array(Notice)
