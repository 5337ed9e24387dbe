/** Describes a screen of one object. */
export interface ScreenProps {
  /** Maps the parts of the address that the screen's route names. */
  readonly params: Readonly<Record<string, string>>;
}
