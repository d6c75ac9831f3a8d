import { EMAIL_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Field } from '../ui/basics.tsx'

/** The e-mail address of an account: to be entered, or given and only shown. */
export function EmailField({ given }: { given?: string | null | undefined }) {
  const { t } = useWords()
  return (
    <Field
      label={t('sign_in.email')}
      name="email"
      type="email"
      autoComplete="username"
      required
      maxLength={EMAIL_MAX_LENGTH}
      {...(given != null && { value: given, readOnly: true })}
    />
  )
}
