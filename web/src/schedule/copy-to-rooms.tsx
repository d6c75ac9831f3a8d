import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { ManyChips } from '../ui/many-chips.tsx'
import { say } from '../ui/toast.tsx'

/** The same week for other rooms; each keeps its own target. */
export function CopyToRooms({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [ids, setIds] = useState<string[]>([])
  const others = building.rooms.filter(({ id }) => id !== room.id)
  if (others.length === 0) return null
  const copy = async () => {
    const isDone = await run(async () => {
      await api('POST', `/rooms/${room.id}/programme/copies`, { room_ids: ids })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
    if (!isDone) return
    say({ text: t('programme.copied') })
    setIds([])
  }
  return (
    <Section title={t('programme.copy_rooms')}>
      <ManyChips
        label={t('programme.copy_to')}
        hint={t('programme.copy_rooms_hint')}
        choices={others.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={ids}
        onChange={setIds}
      />
      {problem && <Problem>{problem}</Problem>}
      <Button disabled={isBusy || ids.length === 0} onClick={copy}>
        {t('programme.copy_now')}
      </Button>
    </Section>
  )
}
