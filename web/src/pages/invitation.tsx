import type { AcceptedInvitation, InvitationLook, SessionState, SignInResult } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeForm } from '../account/code-form.tsx'
import { Doorstep } from '../account/doorstep.tsx'
import { PasswordForm } from '../account/password-form.tsx'
import { BASE } from '../api/base.ts'
import { api } from '../api/http.ts'
import { forgetLastState } from '../api/last-state.ts'
import { queryClient, sessionQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Skeleton } from '../ui/basics.tsx'
import { useDeed, useProblemText } from '../ui/form.ts'

/** Where the link of an invitation leads. What stands behind `#` was sent to nobody. */
export default function InvitationPage({ session }: { session: SessionState }) {
  const { t } = useWords()
  const problem = useProblemText()
  const [secret] = useState(() => location.hash.slice(1))
  const look = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => api<InvitationLook>('POST', '/invitations/look', { secret }),
    retry: false,
  })
  return (
    <Doorstep lead={t('invitation.lead')}>
      {look.isLoading && <Skeleton className="h-32" />}
      {look.error && <Problem>{problem(look.error)}</Problem>}
      {look.error && <Button onClick={() => location.assign(`${BASE}/`)}>{t('invitation.home')}</Button>}
      {look.data && (
        <>
          <Terms look={look.data} />
          {session.account ? (
            <AcceptForm secret={secret} email={session.account.email} />
          ) : (
            <EnterForm secret={secret} canCreate={session.sign_up !== 'owner'} />
          )}
        </>
      )}
    </Doorstep>
  )
}

function Terms({ look }: { look: InvitationLook }) {
  const { t, format } = useWords()
  const { building, invited_by: from } = look
  return (
    <section className="card space-y-2 p-4">
      <h2 className="text-lg font-semibold">
        {look.hand_over ? t('invitation.hand_over', { from, building }) : t('invitation.invited', { from, building })}
      </h2>
      <p className="font-medium">{t(`role.${look.role}`)}</p>
      <p className="text-soft">{t(`role.${look.role}_hint`)}</p>
      {look.rooms.length > 0 && <p>{look.rooms.join(', ')}</p>}
      {look.until !== null && <p>{t('members.until', { date: format.date(Date.parse(look.until), look.timezone) })}</p>}
      {look.hand_over && (
        <p>{t(look.hand_over.giver === 'leaves' ? 'invitation.giver_leaves' : 'invitation.giver_stays', { from })}</p>
      )}
      {look.email !== null && <p className="text-soft">{t('invitation.bound', { email: look.email })}</p>}
    </section>
  )
}

function AcceptForm({ secret, email }: { secret: string; email: string }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const accept = () =>
    run(async () => {
      const { building_id } = await api<AcceptedInvitation>('POST', '/invitations/acceptance', { secret })
      location.assign(`${BASE}/buildings/${building_id}`)
    })
  return (
    <div className="space-y-4">
      <p className="text-soft">{t('invitation.as', { email })}</p>
      {problem && <Problem>{problem}</Problem>}
      <Button look="main" className="w-full" disabled={isBusy} onClick={accept}>
        {t('invitation.accept')}
      </Button>
    </div>
  )
}

type Door = 'new' | 'known' | 'code'

/** With an account or without: a new one is made with the invitation, and accepts it. */
function EnterForm({ secret, canCreate }: { secret: string; canCreate: boolean }) {
  const { t } = useWords()
  const [door, setDoor] = useState<Door>(canCreate ? 'new' : 'known')
  const entered = async (result: SignInResult) => {
    if (result.next === 'second_factor') return setDoor('code')
    await forgetLastState()
    if (door === 'new') return location.assign(`${BASE}/`)
    await queryClient.resetQueries({ queryKey: sessionQuery.queryKey })
  }
  if (door === 'code') return <CodeForm onEntered={entered} />
  return (
    <div className="space-y-4">
      <PasswordForm
        key={door}
        isNew={door === 'new'}
        {...(door === 'new' && { invitation: secret, action: t('invitation.create') })}
        onEntered={entered}
      />
      {canCreate && (
        <Button look="quiet" className="w-full" onClick={() => setDoor(door === 'new' ? 'known' : 'new')}>
          {t(door === 'new' ? 'invitation.have_account' : 'invitation.no_account')}
        </Button>
      )}
    </div>
  )
}
