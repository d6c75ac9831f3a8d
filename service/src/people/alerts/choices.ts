import { LANGUAGES, type Language, type NotificationChoice } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'

/** How the owner has chosen to be notified; undefined before any choice. */
export async function choiceOf({ db }: Store, accountId: string): Promise<NotificationChoice | undefined> {
  const row = await db
    .selectFrom('notificationChoices')
    .select(['mail', 'language', 'muted'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row && { mail: row.mail === 1, language: row.language, muted: JSON.parse(row.muted) }
}

export async function choose({ db }: Store, accountId: string, choice: NotificationChoice): Promise<void> {
  const { language } = choice
  const row = { mail: choice.mail ? (1 as const) : (0 as const), language, muted: JSON.stringify(choice.muted) }
  await db
    .insertInto('notificationChoices')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute()
}

export const languageOf = (tag: string | null): Language => LANGUAGES.find((known) => tag?.startsWith(known)) ?? 'en'
