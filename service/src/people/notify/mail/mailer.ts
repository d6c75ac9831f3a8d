import type { Letter } from './letters.ts'
import type { MailSettings } from './settings.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SOCKET_TIMEOUT_MS = 30_000

/** Sends letters through the operator's mail server, each over a connection of its own: they are few. */
export class Mailer {
  readonly publicUrl: string
  readonly #settings: MailSettings
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(settings: MailSettings) {
    this.publicUrl = settings.publicUrl
    this.#settings = settings
  }

  /** Resolves when the server has taken it. The same `id` twice is the same letter to a mail program. */
  async send(to: string, { subject, text, html }: Letter, id: string): Promise<void> {
    const { from, publicUrl } = this.#settings
    const transport = await this.#transport()
    const messageId = `<${id}@${new URL(publicUrl).hostname}>`
    const headers = { 'auto-submitted': 'auto-generated' }
    const sending = transport.sendMail({
      from: { name: 'Hypocaust', address: from },
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId,
      headers,
    })
    this.#underWay.add(sending)
    await sending.finally(() => this.#underWay.delete(sending))
  }

  /** Connects and signs in, and sends nothing. */
  async verify(): Promise<void> {
    await (await this.#transport()).verify()
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }

  async #transport() {
    // Loaded when needed: most installations send no mail.
    const { createTransport } = await import('nodemailer')
    const { smtpUrl } = this.#settings
    return createTransport({
      url: smtpUrl,
      requireTLS: needsTls(new URL(smtpUrl)),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
    })
  }
}

/** A password leaves this machine only encrypted; the server must then offer STARTTLS. */
const needsTls = ({ protocol, password, hostname }: URL): boolean =>
  protocol === 'smtp:' && password !== '' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
