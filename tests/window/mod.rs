//! The built app under Xvfb, driven through WebKitWebDriver, with a real keyring daemon.

mod desktop;
mod keys;
mod page;
mod screen;

mod cards;
mod composer;
mod connect;
mod first_loop;
mod keystroke;
mod looks;
mod receiving;
