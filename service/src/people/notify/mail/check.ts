import type { Check } from '../../../store/check.ts'
import { Mailer } from './mailer.ts'
import { type MailChoice, mailSettingsOf } from './settings.ts'

/** Connects to the mail server and signs in, where one is named; sends nothing. */
export async function checkMail(settings: MailChoice): Promise<Check[]> {
  const check = 'Mail server'
  try {
    const mail = mailSettingsOf(settings)
    if (!mail) return []
    await new Mailer(mail).verify()
    return [{ check, ok: true, finding: `${new URL(mail.smtpUrl).host} answers` }]
  } catch (error) {
    return [{ check, ok: false, finding: `${(error as Error).message}; check HYPOCAUST_SMTP_URL` }]
  }
}
