import type { AppBuilding } from '@hypocaust/domain'
import { MAX_TAGS, TAG_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, overviewQuery, queryClient } from '../api/queries.ts'
import { tagsOf } from '../buildings/arrange.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'

/** By which a long list of buildings can be narrowed; those of other buildings are offered. */
export function TagsSetUp({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [draft, setDraft] = useState('')
  const known = tagsOf(useQuery(overviewQuery).data ?? []).filter((tag) => !building.tags.includes(tag))
  const id = useId()
  const change = (tags: string[]) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, { tags })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  const add = async () => {
    if (await change([...building.tags, draft])) setDraft('')
  }
  return (
    <Section title={t('tags.title')}>
      <p className="text-soft">{t('tags.lead')}</p>
      {building.tags.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {building.tags.map((tag) => (
            <li key={tag}>
              <Button
                disabled={isBusy}
                aria-label={t('tags.remove', { tag })}
                onClick={() => change(building.tags.filter((other) => other !== tag))}
              >
                <span className="break-all">{tag}</span> <span aria-hidden="true">×</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {building.tags.length < MAX_TAGS && (
        <Form className="flex flex-wrap items-end gap-2" onSubmit={() => add()}>
          <Field
            label={t('tags.new')}
            list={id}
            required
            maxLength={TAG_MAX_LENGTH}
            autoComplete="off"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <datalist id={id}>
            {known.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <Button type="submit" disabled={isBusy}>
            {t('tags.add')}
          </Button>
        </Form>
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
