/** What a phone shows, and where a touch leads. */
export interface Message {
  title: string
  body: string
  path: string
}
