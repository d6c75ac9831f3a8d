import type { ReactNode } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form-element.tsx'

interface PasswordDialogProps {
  title: string
  /** What it is about, where the title does not say all. */
  children?: ReactNode
  problem: ReactNode
  isBusy: boolean
  onPassword(password: string): void
  onClose(): void
}

/** Asks for the password once more, before something that opens or ends the account. */
export function PasswordDialog({ title, children, problem, isBusy, onPassword, onClose }: PasswordDialogProps) {
  const { t } = useWords()
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Form onSubmit={(values) => onPassword(String(values.get('password')))}>
        <Field label={t('password.current')} name="password" type="password" autoComplete="current-password" required />
        {problem && <Problem>{problem}</Problem>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {t('go_on')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
