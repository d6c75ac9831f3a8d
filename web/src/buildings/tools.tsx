import type { OverviewEntry } from '@hypocaust/domain'
import { NEEDS } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Field, Select } from '../ui/basics.tsx'
import { countOf, type NeedFilter, type Sort, tagsOf, type View } from './arrange.ts'

const FILTERS: NeedFilter[] = ['all', ...NEEDS]
const SORTS: Sort[] = ['need', 'name']

interface ToolsProps {
  entries: OverviewEntry[]
  view: View
  onChange(part: Partial<View>): void
  /** Enter in the search field. */
  onEnter(): void
}

/** Search, filter and order of a long list. */
export function Tools({ entries, view, onChange, onEnter }: ToolsProps) {
  const { t } = useWords()
  const tags = tagsOf(entries)
  return (
    <search className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
      <div className="col-span-2 lg:col-span-1">
        <Field
          type="search"
          label={t('list.search')}
          placeholder={t('list.search_hint')}
          autoComplete="off"
          enterKeyHint="go"
          value={view.search}
          onChange={(event) => onChange({ search: event.target.value })}
          onKeyDown={({ key }) => key === 'Enter' && onEnter()}
        />
      </div>
      <Select
        label={t('list.show')}
        value={view.need}
        onChange={(event) => onChange({ need: event.target.value as NeedFilter })}
      >
        {FILTERS.map((need) => (
          <option key={need} value={need}>
            {t(`list.need_${need}`)} ({countOf(entries, need)})
          </option>
        ))}
      </Select>
      {tags.length > 0 && (
        <Select
          label={t('list.tag')}
          value={view.tag ?? ''}
          onChange={(event) => onChange({ tag: event.target.value || null })}
        >
          <option value="">{t('list.any_tag')}</option>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </Select>
      )}
      <Select
        label={t('list.sort')}
        value={view.sort}
        onChange={(event) => onChange({ sort: event.target.value as Sort })}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {t(`list.sort_${sort}`)}
          </option>
        ))}
      </Select>
    </search>
  )
}
