import type { AppBuilding, CreatedInvitation, NewInvitation } from '@hypocaust/domain'
import { EMAIL_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { invitationsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DoneRow } from '../ui/done-row.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Picture } from '../ui/picture.tsx'
import { GrantFields, grantIn } from './grant-fields.tsx'

/** What becomes of the person who hands over. */
const GIVERS = ['installer', 'leaves'] as const

interface Props {
  building: AppBuilding
  onClose(): void
}

/** The person who accepts becomes a member. */
export function InviteDialog({ building, onClose }: Props) {
  const { t } = useWords()
  return (
    <Offer
      title={t('members.invite')}
      action={t('members.make_link')}
      building={building}
      read={grantIn}
      onClose={onClose}
    >
      <GrantFields building={building} start="resident" roomIds={null} />
    </Offer>
  )
}

/** The person who accepts becomes the owner, and the person who offers it leaves or stays as installer. */
export function HandOverDialog({ building, onClose }: Props) {
  const { t } = useWords()
  const [giver, setGiver] = useState<(typeof GIVERS)[number]>('installer')
  const read = (): NewInvitation => ({ role: 'owner', hand_over: { giver } })
  return (
    <Offer
      title={t('handover.title')}
      action={t('handover.make_link')}
      building={building}
      read={read}
      onClose={onClose}
    >
      <p>{t('handover.text')}</p>
      <Chips<(typeof GIVERS)[number]>
        label={t('handover.giver')}
        value={giver}
        choices={GIVERS.map((value) => ({ value, label: t(`handover.${value}`) }))}
        onChange={setGiver}
      />
    </Offer>
  )
}

interface OfferProps extends Props {
  title: string
  action: string
  read(form: FormData): NewInvitation
  children: React.ReactNode
}

function Offer({ title, action, building, read, children, onClose }: OfferProps) {
  const { t, language } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [created, setCreated] = useState<CreatedInvitation>()
  const submit = (form: FormData) =>
    run(async () => {
      const email = String(form.get('email')).trim()
      const body: NewInvitation = { ...read(form), language, ...(email !== '' && { email }) }
      setCreated(await api<CreatedInvitation>('POST', `/buildings/${building.id}/invitations`, body))
      await queryClient.invalidateQueries({ queryKey: invitationsQuery(building.id).queryKey })
    })
  if (created) return <CreatedLink created={created} timeZone={building.timezone} onClose={onClose} />
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={(values) => submit(values)}>
        {children}
        <Field
          label={t('members.email')}
          hint={t('members.email_hint')}
          name="email"
          type="email"
          maxLength={EMAIL_MAX_LENGTH}
        />
        {problem && <Problem>{problem}</Problem>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface CreatedLinkProps {
  created: CreatedInvitation
  timeZone: string
  onClose(): void
}

function CreatedLink({ created, timeZone, onClose }: CreatedLinkProps) {
  const { t, format } = useWords()
  return (
    <Dialog title={t('members.link_title')} onClose={onClose}>
      {created.email !== null && (
        <p role="status">{t(created.is_mailed ? 'members.mailed' : 'members.not_mailed', { email: created.email })}</p>
      )}
      {created.link !== null && (
        <>
          <p>{t('members.link_text', { date: format.date(Date.parse(created.expires_at), timeZone) })}</p>
          <CopyField label={t('members.link')} value={created.link} />
        </>
      )}
      {created.qr !== null && <Picture svg={created.qr} label={t('members.qr')} />}
      <DoneRow onClose={onClose} />
    </Dialog>
  )
}
