import type { AuthorizationLook, AuthorizationResult } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Doorstep } from '../account/doorstep.tsx'
import { api } from '../api/http.ts'
import { Grant, type GrantedBuilding } from '../apps/grant.tsx'
import { requestIn } from '../apps/request.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Skeleton } from '../ui/basics.tsx'
import { useDeed, useProblemText } from '../ui/form.ts'

const MEANINGS = { invalid_value: 'apps.unknown' } as const

/** An app has sent a person here; the answer goes back to it. */
export default function AuthorizePage({ email }: { email: string }) {
  const { t } = useWords()
  const [request] = useState(() => requestIn(location.search))
  const problem = useProblemText(MEANINGS)
  const { isBusy, problem: refusal, run } = useDeed(MEANINGS)
  const { data, error } = useQuery({
    queryKey: ['authorization', request],
    queryFn: () => api<AuthorizationLook>('POST', '/authorization/look', request),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const redirect = data?.redirect
  useEffect(() => {
    if (redirect) location.replace(redirect)
  }, [redirect])
  const decide = (buildings: GrantedBuilding[]) =>
    run(async () => {
      const decided = await api<AuthorizationResult>('POST', '/authorization', { request, buildings })
      location.replace(decided.redirect)
    })
  return (
    <Doorstep lead={t('apps.authorize_lead')}>
      {error && <Problem>{problem(error)}</Problem>}
      {!data && !error && <Skeleton className="h-32" />}
      {data?.question && (
        <>
          <Grant app={data.question} email={email} isBusy={isBusy} problem={refusal} onDecide={decide} />
          <p className="break-words text-center text-sm text-soft">
            {t('apps.leads_to', { address: data.question.leads_to })}
          </p>
        </>
      )}
    </Doorstep>
  )
}
