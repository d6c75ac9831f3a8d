import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { type Programme, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useRoomPlace } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, PageSkeleton, PageTitle, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { say } from '../ui/toast.tsx'
import { UnsavedGuard } from '../ui/unsaved.tsx'
import { CopyToRooms } from '../wishes/copy-to-rooms.tsx'
import { DateList } from '../wishes/date-list.tsx'
import { DayEditor } from '../wishes/day-editor.tsx'
import { tidied, weekOf } from '../wishes/week.ts'
import { WeekStrips } from '../wishes/week-strips.tsx'
import { WhatIf } from '../wishes/what-if.tsx'
import { NotFoundPage } from './not-found.tsx'

/** The week plan of a room: what it says, and what the heating makes of it. */
export default function ProgrammePage() {
  const { roomId } = useParams({ from: '/rooms/$roomId/programme' })
  const place = useRoomPlace(roomId)
  if (place === undefined) return <PageSkeleton />
  if (place === null) return <NotFoundPage />
  const { building, room } = place
  return <Editor key={room.id} room={room} building={building} />
}

function Editor({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t } = useWords()
  const navigate = useNavigate()
  const { isBusy, problem, run } = useDeed()
  const [opened] = useState(() => weekOf(room))
  const [draft, setDraft] = useState<Programme>(opened)
  const [targetC, setTarget] = useState(room.target_temperature)
  const [day, setDay] = useState<Weekday>(WEEKDAYS[0])
  const isSaved = useRef(false)
  const isPlanChanged = JSON.stringify(opened) !== JSON.stringify(draft)
  const isTargetChanged = targetC !== room.target_temperature
  const isDirty = () => !isSaved.current && (isPlanChanged || isTargetChanged)
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
    await navigate(back)
  }
  return (
    <div className="space-y-4">
      <PageTitle back={back}>{t('programme.title', { room: room.name })}</PageTitle>
      <p className="max-w-3xl text-soft">{t('programme.lead')}</p>
      <Form className="gap-4 space-y-4 xl:grid xl:grid-cols-2 xl:items-start" onSubmit={() => save(draft)}>
        <WeekStrips programme={draft} targetC={targetC} chosen={day} onChoose={setDay} />
        <DayEditor
          key={day}
          room={{ ...room, target_temperature: targetC }}
          timeZone={building.timezone}
          day={day}
          programme={draft}
          onChange={setDraft}
        />
        <DateList dates={draft.dates ?? []} onChange={(dates) => setDraft({ ...draft, dates })} />
        <WhatIf
          room={room}
          timeZone={building.timezone}
          targetC={targetC}
          onTarget={setTarget}
          plan={isPlanChanged ? { programme: tidied(draft) } : {}}
        />
        <div className="space-y-4">
          {problem && <Problem>{problem}</Problem>}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="main" disabled={isBusy}>
              {t('save')}
            </Button>
            {room.programme && (
              <Button disabled={isBusy} onClick={() => save(null)}>
                {t('programme.remove')}
              </Button>
            )}
          </div>
        </div>
      </Form>
      {room.programme && !isDirty() && <CopyToRooms room={room} building={building} />}
      <UnsavedGuard isDirty={isDirty} />
    </div>
  )
}
