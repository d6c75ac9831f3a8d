import { LANGUAGES, type Language, type NotificationChoice } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import type { Bit } from '../../store/tables/columns.ts'

/** How the owner has chosen to be notified; undefined before any choice. */
export async function choiceOf({ db }: Store, accountId: string): Promise<NotificationChoice | undefined> {
  const row = await db
    .selectFrom('notificationChoices')
    .select(['mail', 'language', 'muted', 'monthly'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  if (!row) return undefined
  const { mail, language, muted, monthly } = row
  return { mail: mail === 1, language, muted: JSON.parse(muted), monthly: monthly === 1 }
}

export async function choose({ db }: Store, accountId: string, choice: NotificationChoice): Promise<void> {
  const { language, monthly } = choice
  const row = {
    mail: bitOf(choice.mail),
    language,
    muted: JSON.stringify(choice.muted),
    ...(monthly !== undefined && { monthly: bitOf(monthly) }),
  }
  await db
    .insertInto('notificationChoices')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute()
}

const bitOf = (is: boolean): Bit => (is ? 1 : 0)

export const languageOf = (tag: string | null): Language => LANGUAGES.find((known) => tag?.startsWith(known)) ?? 'en'
