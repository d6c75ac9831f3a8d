import type { AppBuilding, InvitationEntry, MemberEntry } from '@hypocaust/domain'
import { mayDo, ROLES } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBuilding } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { buildingsKey, invitationsQuery, membersQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { GrantFields, grantIn } from '../members/grant-fields.tsx'
import { HandOverDialog, InviteDialog } from '../members/invite.tsx'
import { navigate } from '../routing/navigation.ts'
import { useParam } from '../routing/route.ts'
import { Awaited, PageSkeleton } from '../ui/awaited.tsx'
import { Button, Column, Columns, PageTitle, Problem, Section } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Initial } from '../ui/initial.tsx'
import { NotFoundPage } from './not-found.tsx'

type Doing = { kind: 'invite' | 'hand_over' | 'leave' } | { kind: 'change' | 'remove'; member: MemberEntry }

/** Who has access to a building, and in which role. */
export default function MembersPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const members = useQuery(membersQuery(buildingId)).data
  const [doing, setDoing] = useState<Doing>()
  if (building === null) return <NotFoundPage />
  if (!building || !members) return <PageSkeleton />
  const manages = mayDo(building.role, 'members')
  // A building needs an owner: the only one hands it over instead.
  const mayLeave = building.role !== 'owner' || members.some(({ role, is_self }) => role === 'owner' && !is_self)
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId } }}>
        {t('members.title', { building: building.name })}
      </PageTitle>
      <p className="text-soft">{t(manages ? 'members.lead' : 'members.lead_self')}</p>
      <Columns>
        <Column>
          <ul className="card divide-y divide-line">
            {members.map((member) => (
              <li key={member.id} className="space-y-2 p-4">
                <MemberFacts member={member} building={building} />
                {manages && !member.is_self && (
                  <div className="flex flex-wrap gap-2 pl-13">
                    <Button
                      onClick={() => setDoing({ kind: 'change', member })}
                      aria-label={t('members.change_named', { name: member.name })}
                    >
                      {t('members.change')}
                    </Button>
                    <Button
                      look="quiet"
                      onClick={() => setDoing({ kind: 'remove', member })}
                      aria-label={t('members.remove_named', { name: member.name })}
                    >
                      {t('members.remove')}
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
          {manages && (
            <Button look="main" icon="plus" onClick={() => setDoing({ kind: 'invite' })}>
              {t('members.invite')}
            </Button>
          )}
          {manages && <Invitations building={building} />}
        </Column>
        <Column>
          <Roles />
          <div className="flex flex-wrap gap-2">
            {manages && <Button onClick={() => setDoing({ kind: 'hand_over' })}>{t('handover.title')}</Button>}
            {mayLeave && (
              <Button look="danger" onClick={() => setDoing({ kind: 'leave' })}>
                {t('members.leave')}
              </Button>
            )}
          </div>
        </Column>
      </Columns>
      {doing && <DoingDialog doing={doing} building={building} onClose={() => setDoing(undefined)} />}
    </div>
  )
}

/** What each role may do: the question before every invitation. */
function Roles() {
  const { t } = useWords()
  return (
    <Section title={t('members.roles')}>
      <dl className="space-y-3">
        {ROLES.map((role) => (
          <div key={role}>
            <dt className="font-medium">{t(`role.${role}`)}</dt>
            <dd className="text-sm text-soft">{t(`role.${role}_hint`)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

/** The name large, then the role and its end, then how the person signs in. */
function MemberFacts({ member, building }: { member: MemberEntry; building: AppBuilding }) {
  const { t, format } = useWords()
  const rooms = building.rooms.filter(({ id }) => member.room_ids?.includes(id)).map(({ name }) => name)
  const role = [
    t(`role.${member.role}`),
    ...(member.until === null
      ? []
      : [t('members.role_until', { date: format.date(Date.parse(member.until), building.timezone) })]),
    ...(rooms.length > 0 ? [rooms.join(', ')] : []),
  ]
  const facts = [
    ...(member.name === member.email ? [] : [member.email]),
    t('members.since', { date: format.date(Date.parse(member.since), building.timezone) }),
  ]
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Initial name={member.name} />
      <div className="min-w-0">
        <h2 className="font-medium break-words">
          {member.is_self ? t('members.you', { name: member.name }) : member.name}
        </h2>
        <p className="text-sm break-words">{role.join(' · ')}</p>
        <p className="text-sm break-words text-soft">{facts.join(' · ')}</p>
      </div>
    </div>
  )
}

function Invitations({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const invitations = useQuery(invitationsQuery(building.id))
  const { problem, run } = useDeed()
  const open = invitations.data
  if (!open) return <Awaited of={[invitations]} />
  if (open.length === 0) return null
  const settle = (method: 'DELETE' | 'POST', path: string) =>
    run(async () => {
      await api(method, `/buildings/${building.id}/invitations/${path}`)
      await queryClient.invalidateQueries({ queryKey: invitationsQuery(building.id).queryKey })
      await queryClient.invalidateQueries({ queryKey: membersQuery(building.id).queryKey })
    })
  const withdraw = ({ id }: InvitationEntry) => settle('DELETE', id)
  const confirm = ({ id }: InvitationEntry) => settle('POST', `${id}/confirmation`)
  return (
    <Section title={t('members.open')}>
      {problem && <Problem>{problem}</Problem>}
      <ul className="divide-y divide-line">
        {open.map((invitation) => (
          <li key={invitation.id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0 flex-1 break-words">
              {t(invitation.hand_over ? 'handover.open' : `role.${invitation.role}`)} ·{' '}
              {invitation.email ?? t('members.anyone')} ·{' '}
              {t('members.valid_until', { date: format.date(Date.parse(invitation.expires_at), building.timezone) })}
              {invitation.claimed_by !== null && (
                <span className="block text-sm text-soft">{t('members.claimed')}</span>
              )}
            </span>
            <span className="flex gap-2">
              {invitation.claimed_by !== null && (
                <Button look="main" onClick={() => confirm(invitation)}>
                  {t('members.confirm')}
                </Button>
              )}
              <Button onClick={() => withdraw(invitation)}>{t('members.withdraw')}</Button>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface DialogProps {
  building: AppBuilding
  onClose(): void
}

function DoingDialog({ doing, building, onClose }: DialogProps & { doing: Doing }) {
  const { t } = useWords()
  const refresh = () => queryClient.invalidateQueries({ queryKey: membersQuery(building.id).queryKey })
  switch (doing.kind) {
    case 'invite':
      return <InviteDialog building={building} onClose={onClose} />
    case 'hand_over':
      return <HandOverDialog building={building} onClose={onClose} />
    case 'change':
      return <ChangeDialog building={building} member={doing.member} onClose={onClose} />
    case 'remove':
      return (
        <ConfirmDialog
          title={t('members.remove_title', { name: doing.member.name })}
          text={t('members.remove_text', { email: doing.member.email })}
          action={t('members.remove')}
          onConfirm={async () => {
            await api('DELETE', `/buildings/${building.id}/members/${doing.member.id}`)
            await refresh()
          }}
          onDone={onClose}
          onClose={onClose}
        />
      )
    case 'leave':
      return (
        <ConfirmDialog
          title={t('members.leave_title', { building: building.name })}
          text={t('members.leave_text')}
          action={t('members.leave')}
          onConfirm={() => api('DELETE', `/buildings/${building.id}/membership`)}
          onDone={async () => {
            navigate({ to: '/settings' })
            await queryClient.invalidateQueries({ queryKey: buildingsKey })
          }}
          onClose={onClose}
        />
      )
  }
}

function ChangeDialog({ building, member, onClose }: DialogProps & { member: MemberEntry }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const submit = async (form: FormData) => {
    const isDone = await run(async () => {
      await api('PATCH', `/buildings/${building.id}/members/${member.id}`, grantIn(form))
      await queryClient.invalidateQueries({ queryKey: membersQuery(building.id).queryKey })
    })
    if (isDone) onClose()
  }
  return (
    <Dialog title={t('members.change_title', { name: member.name })} onClose={onClose}>
      <Form onSubmit={(values) => submit(values)}>
        <GrantFields building={building} start={member.role} roomIds={member.room_ids} />
        {problem && <Problem>{problem}</Problem>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {t('save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
