import { parseDocument } from 'yaml'

/** What stays on the box: its identity, and secrets of other devices. */
const SECRETS = [['service'], ['devices', 'password'], ['sensors', 'bthome', 'keys']]

const SECRET_COMMENT = /^[ \t]*#.*(?:password|token|key).*$/gim
const USER_IN_ADDRESS = /(:\/\/)[^@\s/"']*@/g
const SECRET_NAME = '[\\w.-]*(?:token|key|auth|pass|pwd|secret)[\\w.-]*'
/** Of an address or a form, and of JSON in an order. */
const SECRET_PARAMETER = new RegExp(`([?&;"'\\s]${SECRET_NAME}=)(?!\\{value\\})[^&;#\\s"']+`, 'gi')
const SECRET_MEMBER = new RegExp(`(\\\\?"${SECRET_NAME}\\\\?"\\s*:\\s*\\\\?")(?!\\{value\\})[^"\\\\]+`, 'gi')

/** The file as the service may keep it, for the box that replaces this one. */
export function copyOf(text: string): string {
  const shown = [USER_IN_ADDRESS, SECRET_PARAMETER, SECRET_MEMBER].reduce(
    (left, pattern) => left.replace(pattern, '$1'),
    text.replace(SECRET_COMMENT, ''),
  )
  const document = parseDocument(shown)
  const devices: unknown = document.toJS()?.http
  const headers = (Array.isArray(devices) ? devices : []).map((_, i) => ['http', i, 'headers'])
  for (const path of [...SECRETS, ...headers]) if (document.hasIn(path)) document.deleteIn(path)
  return document.toString({ lineWidth: 0 })
}
