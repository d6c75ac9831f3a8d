import type { AppBuilding, AppScreed, ScreedRecord } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { screedRecordQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { useDated } from '../record/dated.ts'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Section, Skeleton } from '../ui/basics.tsx'
import { Icon } from '../ui/icon.tsx'
import { Picker } from '../ui/picker.tsx'
import { entryInWords, type RecordEntry } from './entry-words.ts'

interface Props {
  building: AppBuilding
  records: AppScreed['records']
}

/** The records of a building, the newest first; one of them is shown, and printed. */
export function ScreedRecords({ building, records }: Props) {
  const { t } = useWords()
  const dated = useDated()
  const [chosen, setChosen] = useState<string>()
  const shown = records.find(({ id }) => id === chosen) ?? records[0]
  if (!shown) return null
  const nameOf = ({ started_at }: AppScreed['records'][number]) =>
    t('screed.record_of', { time: dated(started_at, building.timezone) })
  return (
    <Section title={nameOf(shown)}>
      {records.length > 1 && (
        <div className="print:hidden">
          <Picker
            label={t('screed.records')}
            value={shown.id}
            choices={records.map((record) => ({ value: record.id, label: nameOf(record) }))}
            onChange={setChosen}
          />
        </div>
      )}
      <Shown building={building} id={shown.id} />
    </Section>
  )
}

function Shown({ building, id }: { building: AppBuilding; id: string }) {
  const { t } = useWords()
  const query = useQuery(screedRecordQuery(building.id, id))
  const record = query.data
  if (!record) {
    return (
      <Awaited of={[query]}>
        <Skeleton className="h-40" />
      </Awaited>
    )
  }
  return (
    <>
      <p>
        {building.name} · {stateOf(record, t)}
      </p>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button icon="download" onClick={() => print()}>
          {t('record.print')}
        </Button>
        <a
          className="inline-flex min-h-11 items-center gap-2 rounded-xl border border-edge bg-raised px-4 font-medium hover:bg-sunken"
          href={`${BASE}/app/buildings/${building.id}/screed/records/${id}`}
          download="screed-record.json"
        >
          <Icon name="download" className="size-5" />
          {t('screed.download')}
        </a>
      </div>
      <Entries record={record} />
      <p className="text-sm break-all text-soft">{t('screed.signature', { value: record.signature.value })}</p>
      <p className="text-sm break-all text-soft">
        {t('screed.key', { key: record.signature.public_key.replaceAll(/-----[A-Z ]+-----|\s/g, '') })}
      </p>
      <div className="hidden gap-8 pt-12 print:grid print:grid-cols-2">
        <p className="border-t border-edge pt-1 text-sm">{t('record.signed_installer')}</p>
        <p className="border-t border-edge pt-1 text-sm">{t('record.signed_owner')}</p>
      </div>
    </>
  )
}

function stateOf(record: ScreedRecord, t: ReturnType<typeof useWords>['t']): string {
  if (record.changed_at !== null) return t('screed.changed', { n: record.changed_at + 1 })
  if (record.has_gap) return t('screed.gap')
  const intact = t('screed.intact', { n: record.entries.length })
  return record.is_ended ? intact : `${intact} ${t('screed.open_end')}`
}

function Entries({ record: { entries, timezone, changed_at } }: { record: ScreedRecord }) {
  const { t, format } = useWords()
  const dated = useDated()
  const words = { t, format, dated: (at: string) => dated(at, timezone) }
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="text-left text-soft">
          <th className="pr-4 font-normal">{t('screed.time')}</th>
          <th className="font-normal">{t('screed.entry')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ n, text }, i) => {
          // From a change on it may be anything: it is shown as it is.
          const entry = changed_at === null || i < changed_at ? (JSON.parse(text) as RecordEntry) : null
          return (
            <tr key={n} className="border-t border-line align-top break-inside-avoid">
              <td className="py-1 pr-4">{entry ? words.dated(entry.at) : '–'}</td>
              <td className="py-1 break-words">{entry ? entryInWords(entry, words) : text}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
