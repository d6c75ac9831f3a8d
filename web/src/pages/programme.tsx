import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { type Programme, WEEKDAYS } from '@hypocaust/domain/facts'
import { useRef, useState } from 'react'
import { useRoomPlace } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { ProgrammeLinks } from '../calendars/links.tsx'
import { CalendarDates } from '../calendars/of-room.tsx'
import { planInWords } from '../changes/programme-words.ts'
import type { Wording } from '../i18n/formats.ts'
import { useWords } from '../i18n/index.tsx'
import { navigate } from '../routing/navigation.ts'
import { useParam } from '../routing/route.ts'
import { BlockPanel } from '../schedule/block-panel.tsx'
import { blocksOf, clockOf, risesOf } from '../schedule/blocks.ts'
import { CopyToRooms } from '../schedule/copy-to-rooms.tsx'
import { DateList } from '../schedule/date-list.tsx'
import { type Lead, useLeads } from '../schedule/leads.ts'
import { PrintedWeek } from '../schedule/printed-week.tsx'
import { MINUTES_A_DAY, tidied, weekOf } from '../schedule/week.ts'
import { type Chosen, WeekLanes } from '../schedule/week-lanes.tsx'
import { WhatIf } from '../schedule/what-if.tsx'
import { PageSkeleton } from '../ui/awaited.tsx'
import { Button, PageTitle, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { SaveBar } from '../ui/save-bar.tsx'
import { say } from '../ui/toast.tsx'
import { UnsavedGuard } from '../ui/unsaved.tsx'
import { NotFoundPage } from './not-found.tsx'

/** The week plan of a room: what it says, and what the heating makes of it. */
export default function ProgrammePage() {
  const roomId = useParam('roomId')
  const place = useRoomPlace(roomId)
  if (place === undefined) return <PageSkeleton />
  if (place === null) return <NotFoundPage />
  const { building, room } = place
  return <Editor key={room.id} room={room} building={building} />
}

function Editor({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t, format } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [opened] = useState(() => weekOf(room))
  const [draft, setDraft] = useState<Programme>(opened)
  const [targetC, setTarget] = useState(room.target_temperature)
  const [chosen, setChosen] = useState<Chosen>({ day: WEEKDAYS[0], fromMin: 0 })
  const isSaved = useRef(false)
  const isPlanChanged = JSON.stringify(opened) !== JSON.stringify(draft)
  const isProposal = !room.programme && !room.night_mode
  const isTargetChanged = targetC !== room.target_temperature
  const isDirty = () => !isSaved.current && (isPlanChanged || isTargetChanged)
  const leadOf = useLeads(room.id, targetC, draft)
  const block = blocksOf(draft, chosen.day).find(({ fromMin }) => fromMin === chosen.fromMin)
  const rise = risesOf(draft, chosen.day).find(({ step }) => step === block?.step)
  const lead = rise && leadOf(rise.fromK, rise.toK)
  const changes = [
    ...(isPlanChanged ? [planInWords({ programme: draft }, { t, format }, { programme: opened })] : []),
    ...(isTargetChanged ? [t('room.comfort', { degrees: format.degrees(targetC) })] : []),
  ].join('; ')
  const back = { to: '/rooms/$roomId', params: { roomId: room.id } } as const
  const save = async (programme: Programme | null) => {
    const isDone = await run(async () => {
      await api<AppRoom>('PATCH', `/rooms/${room.id}`, {
        programme: programme && tidied(programme),
        ...(isTargetChanged && { target_temperature: targetC }),
      })
      await Promise.all([buildingsKey, ['outlook']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    })
    if (!isDone) return
    isSaved.current = true
    say({ text: t('saved') })
    navigate(back)
  }
  return (
    <div className="space-y-4">
      <PageTitle back={back}>{t('programme.title', { room: room.name })}</PageTitle>
      <p className="max-w-3xl text-soft print:hidden">{t('programme.lead')}</p>
      <PrintedWeek programme={draft} targetC={targetC} />
      <Form className="space-y-4" onSubmit={() => save(draft)}>
        <div className="gap-4 space-y-4 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start lg:space-y-0 print:block">
          <WeekLanes
            programme={draft}
            targetC={targetC}
            chosen={chosen}
            leadOf={(fromK, toK) => leadOf(fromK, toK)?.minutes}
            onChoose={setChosen}
            onChange={setDraft}
          />
          <div className="print:hidden">
            <BlockPanel
              targetC={targetC}
              programme={draft}
              chosen={chosen}
              preview={rise && lead && leadInWords(rise.fromMin, lead, { t, format })}
              onChoose={setChosen}
              onChange={setDraft}
            />
          </div>
        </div>
        <div className="gap-4 space-y-4 print:hidden xl:grid xl:grid-cols-2 xl:items-start xl:space-y-0">
          <div className="space-y-4">
            <WhatIf
              room={room}
              timeZone={building.timezone}
              targetC={targetC}
              onTarget={setTarget}
              plan={isPlanChanged || isProposal ? { programme: tidied(draft) } : {}}
            />
            <Button look="quiet" icon="page" onClick={() => print()}>
              {t('programme.print')}
            </Button>
          </div>
          <div className="space-y-4">
            <DateList
              dates={draft.dates ?? []}
              timeZone={building.timezone}
              onChange={(dates) => setDraft({ ...draft, dates })}
            />
            <CalendarDates building={building} room={room} />
            <ProgrammeLinks room={room} timeZone={building.timezone} />
          </div>
        </div>
        {problem && <Problem>{problem}</Problem>}
        <SaveBar text={changes === '' ? t(isProposal ? 'programme.proposal' : 'programme.unchanged') : changes}>
          {room.programme && (
            <Button disabled={isBusy} onClick={() => save(null)}>
              {t('programme.remove')}
            </Button>
          )}
          <Button type="submit" look="main" disabled={isBusy}>
            {t('save')}
          </Button>
        </SaveBar>
      </Form>
      {room.programme && !isDirty() && (
        <div className="print:hidden">
          <CopyToRooms room={room} building={building} />
        </div>
      )}
      <UnsavedGuard isDirty={isDirty} />
    </div>
  )
}

/** What a warmer step means: from when the floor is heated for it, and how warm the room is expected to be by then. */
function leadInWords(atMin: number, { warmUp, minutes }: Lead, { t, format }: Wording): string {
  const values = {
    degrees: format.degrees(warmUp.setpoint),
    expected: format.degrees(warmUp.expected),
    time: clockOf(atMin),
    from: clockOf((Math.round((atMin - minutes) / 5) * 5 + 2 * MINUTES_A_DAY) % MINUTES_A_DAY),
  }
  return t(warmUp.in_time ? 'programme.preview' : 'programme.preview_late', values)
}
