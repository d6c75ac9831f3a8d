import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { Mailer } from '../../service/src/people/notify/mail/mailer.ts'

export const PUBLIC_URL = 'https://heating.example'

export interface ReceivedMail {
  to: string
  subject: string
  messageId: string
  text: string
  html: string
}

/** A real mail server on loopback that keeps what it is given. */
export class MailServer {
  readonly received: ReceivedMail[] = []
  /** While set, every letter is refused for the time being. */
  isBusy = false
  #server: SMTPServer | undefined

  get url(): string {
    const address = this.#server?.server.address() as AddressInfo | undefined
    return `smtp://127.0.0.1:${address?.port}`
  }

  get settings() {
    return { smtpUrl: this.url, from: 'hypocaust@heating.example', publicUrl: PUBLIC_URL }
  }

  mailer(): Mailer {
    return new Mailer(this.settings)
  }

  async start(options: SMTPServerOptions = {}): Promise<void> {
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      ...options,
      onData: (stream, session, done) => {
        void text(stream).then((raw) => {
          if (this.isBusy) return done(Object.assign(new Error('busy'), { responseCode: 451 }))
          const [to] = session.envelope.rcptTo
          this.received.push(parsed(to?.address ?? '', raw))
          done()
        })
      },
    })
    this.#server.on('error', () => undefined)
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(resolve) : resolve()))
  }
}

function parsed(to: string, raw: string): ReceivedMail {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const header = (name: string) =>
    new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*)`, 'im').exec(head)?.[1]?.replace(/\r\n[ \t]+/g, ' ') ?? ''
  const part = (type: string) => {
    const found = new RegExp(`Content-Type: ${type}[^]*?\\r\\n\\r\\n([^]*?)\\r\\n--`).exec(raw)
    const encoding = found?.[0].match(/Content-Transfer-Encoding: (\S+)/)?.[1]
    return decoded(found?.[1] ?? '', encoding)
  }
  return {
    to,
    subject: words(header('Subject')),
    messageId: header('Message-ID'),
    text: part('text/plain'),
    html: part('text/html'),
  }
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\r\n/g, '')) : body
}

const quotedPrintable = (body: string): string =>
  Buffer.from(
    body.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** RFC 2047, as far as a mailer uses it. */
const words = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, kind, body) =>
      kind.toUpperCase() === 'B' ? Buffer.from(body, 'base64').toString() : quotedPrintable(body.replaceAll('_', ' ')),
    )
