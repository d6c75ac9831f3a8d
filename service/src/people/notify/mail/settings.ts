import { StartupError } from '../../../base/startup-error.ts'
import type { Settings } from '../../../settings.ts'

export interface MailSettings {
  smtpUrl: string
  from: string
  /** Where links lead; never taken from a request, whose host anybody may choose. */
  publicUrl: string
}

/** Undefined where no mail server is named; half a configuration is a mistake worth hearing of at once. */
export function mailSettingsOf({ smtp_url, mail_from, public_url }: Settings): MailSettings | undefined {
  if (smtp_url === undefined) return undefined
  if (!URL.canParse(smtp_url))
    throw new StartupError('HYPOCAUST_SMTP_URL is no address, as smtp://user:password@host:587')
  if (mail_from === undefined || public_url === undefined)
    throw new StartupError(
      'HYPOCAUST_SMTP_URL needs HYPOCAUST_MAIL_FROM=heating@example.org and HYPOCAUST_PUBLIC_URL=https://heating.example beside it',
    )
  return { smtpUrl: smtp_url, from: mail_from, publicUrl: public_url.replace(/\/$/, '') }
}
