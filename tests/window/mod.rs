//! The built app under Xvfb, driven through WebKitWebDriver, with a real keyring daemon.

mod desktop;
mod page;
mod screen;

mod connect;
mod first_loop;
mod looks;
