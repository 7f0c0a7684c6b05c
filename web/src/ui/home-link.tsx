import { paths } from "../lib/paths";
import { buttonClass } from "./button";

/** Leads from a page without any other way on to the start. */
export const HomeLink = () => (
  <a href={paths.landing()} className={buttonClass("plain")}>
    Go to Groundcrew
  </a>
);
