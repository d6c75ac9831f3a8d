import { NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { queryClient, sessionQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Initial } from '../ui/initial.tsx'
import { say } from '../ui/toast.tsx'

/** Who is signed in, and what the other members of a building call this person. */
export function OwnName({ name, email }: { name: string; email: string }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [typed, setTyped] = useState(name === email ? '' : name)
  const save = async () => {
    const isSaved = await run(async () => {
      await api('PUT', '/name', { name: typed })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    })
    if (isSaved) say({ text: t('saved') })
  }
  return (
    <Form className="space-y-3" onSubmit={save}>
      <div className="flex min-w-0 items-center gap-3">
        <Initial name={name} />
        <p className="min-w-0 break-words text-soft">{t('settings.signed_in_as', { email })}</p>
      </div>
      <Field
        label={t('settings.name')}
        hint={t('settings.name_hint')}
        autoComplete="name"
        required
        maxLength={NAME_MAX_LENGTH}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {problem && <Problem>{problem}</Problem>}
      <Button type="submit" disabled={isBusy || typed.trim() === name}>
        {t('settings.save_name')}
      </Button>
    </Form>
  )
}
