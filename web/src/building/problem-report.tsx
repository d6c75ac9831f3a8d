import type { AppBuilding } from '@hypocaust/domain'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'

/** A file for the person who helps: without keys, mail addresses and addresses of devices. */
export function ProblemReport({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const [room, setRoom] = useState('')
  const query = room === '' ? '' : `?room_id=${room}`
  return (
    <Section title={t('report.title')}>
      <p className="text-sm text-soft">{t('report.text')}</p>
      <Picker
        label={t('report.room')}
        value={room}
        choices={[
          { value: '', label: t('report.no_room') },
          ...building.rooms.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={setRoom}
      />
      <a
        className="inline-flex min-h-11 items-center gap-2 rounded-xl border border-edge bg-raised px-4 font-medium hover:bg-sunken"
        href={`${BASE}/app/buildings/${building.id}/report${query}`}
        download="hypocaust-report.json"
      >
        <Icon name="download" className="size-5" />
        {t('report.download')}
      </a>
    </Section>
  )
}
