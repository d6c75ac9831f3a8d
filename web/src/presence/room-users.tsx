import type { AppRoom } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { ManyChips } from '../ui/many-chips.tsx'
import { Picker } from '../ui/picker.tsx'

/** For each room when it is used: whenever anybody is home, always, or only with some people. */
export function RoomUsers({ rooms, names }: { rooms: AppRoom[]; names: string[] }) {
  const { t } = useWords()
  return (
    <Section title={t('presence.rooms')}>
      <p className="text-soft">{t('presence.rooms_lead')}</p>
      <ul className="divide-y divide-line">
        {rooms.map((room) => (
          <li key={room.id}>
            <UsersOf room={room} names={names} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Use = 'anybody' | 'always' | 'some'

function UsersOf({ room, names }: { room: AppRoom; names: string[] }) {
  const { t } = useWords()
  const { problem, run } = useDeed()
  const { used_by: usedBy } = room
  const use: Use = usedBy === null ? 'anybody' : usedBy.length === 0 ? 'always' : 'some'
  const change = (used_by: string[] | null) =>
    run(async () => {
      await api<AppRoom>('PATCH', `/rooms/${room.id}`, { used_by })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  const columns: Record<Use, string[] | null> = { anybody: null, always: [], some: names }
  // Who was forgotten is still to be seen, and to be taken away.
  const all = [...new Set([...names, ...(usedBy ?? [])])]
  return (
    <div className="space-y-2">
      <Picker
        isLine
        label={room.name}
        value={use}
        choices={(['anybody', 'always', 'some'] as const).map((value) => ({
          value,
          label: t(`presence.used_${value}`),
        }))}
        onChange={(value) => change(columns[value as Use])}
      />
      {use === 'some' && (
        <ManyChips
          label={t('presence.used_by', { room: room.name })}
          choices={all.map((name) => ({ value: name, label: name }))}
          chosen={usedBy ?? []}
          onChange={change}
        />
      )}
      {problem && <Problem>{problem}</Problem>}
    </div>
  )
}
