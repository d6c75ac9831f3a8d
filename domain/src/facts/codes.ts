/** A code with underscores, as the interface writes codes. */
export type Underscored<Code extends string> = Code extends `${infer Head}-${infer Tail}`
  ? `${Head}_${Underscored<Tail>}`
  : Code

export const underscored = <Code extends string>(code: Code) => code.replaceAll('-', '_') as Underscored<Code>
