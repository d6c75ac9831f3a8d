import { StartupError } from '../../../base/startup-error.ts'

export interface MailSettings {
  smtpUrl: string
  from: string
  /** Where links lead; never taken from a request, whose host anybody may choose. */
  publicUrl: string
}

/** The settings of the service that say how mail is sent. */
export interface MailChoice {
  smtp_url?: string
  mail_from?: string
  public_url?: string
}

/** Undefined where no mail server is named; half a configuration is a mistake worth hearing of at once. */
export function mailSettingsOf({ smtp_url, mail_from, public_url }: MailChoice): MailSettings | undefined {
  if (smtp_url === undefined) return undefined
  if (!URL.canParse(smtp_url))
    throw new StartupError('HYPOCAUST_SMTP_URL must be an address such as smtp://user:password@host:587')
  if (mail_from === undefined || public_url === undefined)
    throw new StartupError(
      'HYPOCAUST_SMTP_URL needs HYPOCAUST_MAIL_FROM=heating@example.org and HYPOCAUST_PUBLIC_URL=https://heating.example.org as well',
    )
  return { smtpUrl: smtp_url, from: mail_from, publicUrl: public_url.replace(/\/$/, '') }
}
