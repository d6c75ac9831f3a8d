import type { AppRoom, CreatedProgrammeLink, ProgrammeLink } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE } from '../api/base.ts'
import { api } from '../api/http.ts'
import { programmeLinksQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Problem, Section } from '../ui/basics.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { useDeed } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'

/** The programme as a calendar: a file, or a secret link that another calendar subscribes to. */
export function ProgrammeLinks({ room, timeZone }: { room: AppRoom; timeZone: string }) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const links = useQuery(programmeLinksQuery(room.id))
  const [made, setMade] = useState<CreatedProgrammeLink>()
  const path = `/rooms/${room.id}/programme/links`
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      await queryClient.invalidateQueries({ queryKey: ['programme-links'] })
    })
  const revoke = ({ id }: ProgrammeLink) =>
    change(async () => {
      await api('DELETE', `${path}/${id}`)
      if (made?.id === id) setMade(undefined)
    })
  return (
    <Section title={t('calendars.export')}>
      <p className="text-sm text-soft">{t('calendars.export_hint')}</p>
      {made && <CopyField label={t('calendars.link_once')} value={made.url} />}
      <Awaited of={[links]} />
      <ul className="divide-y divide-line">
        {links.data?.map((link) => (
          <li key={link.id} className="flex items-center justify-between gap-2 py-2">
            <span>{t('calendars.link_made', { date: format.moment(Date.parse(link.created), timeZone) })}</span>
            <Button look="quiet" disabled={isBusy} onClick={() => revoke(link)}>
              {t('calendars.revoke')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          icon="plus"
          disabled={isBusy}
          onClick={() => change(async () => setMade(await api<CreatedProgrammeLink>('POST', path)))}
        >
          {t('calendars.make_link')}
        </Button>
        <a
          className="inline-flex min-h-11 items-center gap-2 rounded-xl border border-edge px-4 font-medium hover:bg-sunken"
          href={`${BASE}/app/rooms/${room.id}/programme.ics`}
          download={`${room.name}.ics`}
        >
          <Icon name="download" className="size-5" />
          {t('calendars.download')}
        </a>
      </div>
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
