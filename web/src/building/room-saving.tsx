import type { RoomSavings } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useWords } from '../i18n/index.tsx'
import { Skeleton, Summary } from '../ui/basics.tsx'
import { useProblemText } from '../ui/form.ts'
import { savingsInWords } from './saving-words.ts'

/** What a room could save. A replay takes seconds, so it waits until someone asks. */
export function RoomSaving({ roomId }: { roomId: string }) {
  const { t, format } = useWords()
  const problem = useProblemText()
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['savings', roomId],
    queryFn: () => api<RoomSavings>('GET', `/rooms/${roomId}/savings`),
    enabled: isOpen,
    staleTime: 3_600_000,
  })
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Summary>{t('saving.title')}</Summary>
      <div role="status" className="space-y-1 pb-2 text-sm text-soft">
        {isOpen && !data && !error && <Skeleton className="h-10" />}
        {error && !data && <p>{problem(error)}</p>}
        {data && savingsInWords(data, t, format).map((sentence) => <p key={sentence}>{sentence}</p>)}
        {data?.half_degree && <p>{t('saving.how')}</p>}
      </div>
    </details>
  )
}
