import type { AppBuilding, ReportedContact } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { contactsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Picker } from '../ui/picker.tsx'
import { shortId } from './sensor-name.ts'

/** Which window contact pauses the heating of which room. Shown once a contact has been heard. */
export function ContactsSetUp({ building, contacts }: { building: AppBuilding; contacts: ReportedContact[] }) {
  const { t } = useWords()
  if (contacts.length === 0) return null
  return (
    <Section title={t('contacts.title')}>
      <p className="text-sm text-soft">{t('contacts.text')}</p>
      <ul className="space-y-2">
        {contacts.map((contact) => (
          <li key={contact.id}>
            <ContactLine building={building} contact={contact} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ContactLine({ building, contact }: { building: AppBuilding; contact: ReportedContact }) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const ageS = Math.max(0, (useNow() - Date.parse(contact.timestamp)) / 1000)
  const assign = (roomId: string) =>
    run(async () => {
      await api('PATCH', `/buildings/${building.id}/contacts/${contact.id}`, { room_id: roomId === '' ? null : roomId })
      await queryClient.invalidateQueries({ queryKey: contactsQuery(building.id).queryKey })
    })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line p-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t('contact.name', { id: shortId(contact.id) })}</p>
        <p className="text-sm text-soft">
          {t(`contact.${contact.state}`)} · {t('sensor.age', { age: format.duration(ageS) })}
        </p>
      </div>
      <Picker
        label={t('contact.room', { id: shortId(contact.id) })}
        value={contact.room_id ?? ''}
        isDisabled={isBusy}
        choices={[
          { value: '', label: t('contact.no_room') },
          ...building.rooms.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={assign}
      />
      {problem && <Problem>{problem}</Problem>}
    </div>
  )
}
