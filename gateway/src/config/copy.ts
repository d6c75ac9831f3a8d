import { parseDocument } from 'yaml'

/** What stays on the box: its identity, and secrets of other devices. */
const SECRETS = [['service'], ['devices', 'password'], ['sensors', 'bthome', 'keys']]

const SECRET_COMMENT = /^[ \t]*#.*(?:password|token|key).*$/gim
const USER_IN_ADDRESS = /(:\/\/)[^@\s/"']*@/g

/** The file as the service may keep it, for the box that replaces this one. */
export function copyOf(text: string): string {
  const document = parseDocument(text.replace(SECRET_COMMENT, '').replace(USER_IN_ADDRESS, '$1'))
  const devices: unknown = document.toJS()?.http
  const headers = (Array.isArray(devices) ? devices : []).map((_, i) => ['http', i, 'headers'])
  for (const path of [...SECRETS, ...headers]) if (document.hasIn(path)) document.deleteIn(path)
  return document.toString({ lineWidth: 0 })
}
