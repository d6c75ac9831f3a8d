import type { DeviceQuestion } from '@hypocaust/domain'
import { useState } from 'react'
import { Doorstep } from '../account/doorstep.tsx'
import { api } from '../api/http.ts'
import { Grant, type GrantedBuilding } from '../apps/grant.tsx'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'

const MEANINGS = { not_found: 'apps.unknown_code' } as const

type Step =
  | { kind: 'code' }
  | { kind: 'question'; code: string; question: DeviceQuestion }
  | { kind: 'decided'; isAllowed: boolean }

/** A device without a browser shows a code; a person enters it here. A link may bring it along, but grants nothing. */
export default function DevicePage({ email }: { email: string }) {
  const { t } = useWords()
  const [step, setStep] = useState<Step>({ kind: 'code' })
  const [brought] = useState(() => new URLSearchParams(location.search).get('user_code') ?? '')
  const { isBusy, problem, run } = useDeed(MEANINGS)
  const look = (form: FormData) =>
    run(async () => {
      const code = String(form.get('code')).trim()
      const question = await api<DeviceQuestion>('POST', '/device/look', { user_code: code })
      setStep({ kind: 'question', code, question })
    })
  const decide = (code: string, buildings: GrantedBuilding[]) =>
    run(async () => {
      await api('POST', '/device', { user_code: code, buildings })
      setStep({ kind: 'decided', isAllowed: buildings.length > 0 })
    })
  return (
    <Doorstep lead={t('apps.device_lead')}>
      {step.kind === 'code' && (
        <Form onSubmit={(values) => look(values)}>
          <Field
            label={t('apps.code')}
            hint={t('apps.code_hint')}
            name="code"
            required
            maxLength={20}
            defaultValue={brought}
            autoComplete="off"
            autoCapitalize="characters"
          />
          {problem && <Problem>{problem}</Problem>}
          <Button type="submit" look="main" className="w-full" disabled={isBusy}>
            {t('apps.next')}
          </Button>
        </Form>
      )}
      {step.kind === 'question' && (
        <>
          <Problem>{t('apps.own_device', { code: step.code.toUpperCase() })}</Problem>
          <Grant
            app={step.question}
            email={email}
            isBusy={isBusy}
            problem={problem}
            onDecide={(buildings) => decide(step.code, buildings)}
          />
        </>
      )}
      {step.kind === 'decided' && (
        <p role="status" className="text-center">
          {t(step.isAllowed ? 'apps.device_allowed' : 'apps.device_refused')}
        </p>
      )}
    </Doorstep>
  )
}
