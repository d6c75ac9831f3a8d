import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { say } from '../ui/toast.tsx'

/** The same week for other rooms; each keeps its own target. */
export function CopyToRooms({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [key, setKey] = useState(0)
  const others = building.rooms.filter(({ id }) => id !== room.id)
  if (others.length === 0) return null
  const copy = async (values: FormData) => {
    const ids = values.getAll('room').map(String)
    if (ids.length === 0) return
    const isDone = await run(async () => {
      await api('POST', `/rooms/${room.id}/programme/copies`, { room_ids: ids })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
    if (!isDone) return
    say({ text: t('programme.copied') })
    setKey(key + 1)
  }
  return (
    <Section title={t('programme.copy_rooms')}>
      <p className="text-sm text-soft">{t('programme.copy_rooms_hint')}</p>
      <Form key={key} className="space-y-2" onSubmit={copy}>
        {others.map(({ id, name }) => (
          <label key={id} className="flex min-h-11 items-center gap-3">
            <input type="checkbox" name="room" value={id} className="size-5 accent-ink" />
            {name}
          </label>
        ))}
        {problem && <Problem>{problem}</Problem>}
        <Button type="submit" disabled={isBusy}>
          {t('programme.copy_now')}
        </Button>
      </Form>
    </Section>
  )
}
