/** A fault no schema can tell, at the place of the file it is about. */
export interface Fault {
  path: (string | number)[]
  message: string
}
