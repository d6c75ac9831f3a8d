import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Store } from '../../store/store.ts'
import { choiceOf, languageOf } from '../alerts/choices.ts'
import { resetLetter } from '../notify/mail/letters.ts'
import type { Mailer } from '../notify/mail/mailer.ts'
import type { Forgotten } from './auth.ts'

/** Sends the link to a new password. Nobody waits for it: how long it takes would tell whether the account exists. */
export const resetMail =
  (store: Store, mailer: Mailer, logger: Logger) =>
  ({ email, token, accountId, language }: Forgotten): void => {
    const send = async () => {
      const choice = await choiceOf(store, accountId)
      const letter = resetLetter(choice?.language ?? languageOf(language), mailer.publicUrl, email, token)
      await mailer.send(email, letter, randomUUID())
    }
    void send().catch((err) => logger.error({ err }, 'the mail with the link to a new password was not sent'))
  }
